// Starts the studio with its modes and pages.
import { home } from "./home.js";
import { learn } from "./learn.js";
import { make } from "./make.js";
import { play } from "./play.js";
import { printing } from "./print.js";
import { rules } from "./rules.js";
import { set } from "./set.js";
import { start } from "./shell.js";
import { steps } from "./steps.js";

await start({ home, play, set, rules, steps, make, learn, print: printing });
