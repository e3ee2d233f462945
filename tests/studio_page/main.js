// Asks one question, and shows what comes.
const token = document.querySelector("meta[name=token]").content;
history.replaceState(null, "", "/" + location.hash);
const told = document.querySelector("#told");
const ask = async (question, signal) => {
  const reply = await fetch("/ask", {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-Token": token },
    body: JSON.stringify(question),
    signal,
  });
  return reply;
};
window.ask = ask;
told.textContent = (await (await ask({ ask: "echo", text: "answered" })).text()).split("\n")[1];
