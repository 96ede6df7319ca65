// Explains why the page does not work if it has been opened from the disk, where browsers load this classic script but refuse modules.

if (location.protocol === "file:") {
  const message = document.getElementById("message");
  // Modules, and with them the catalogues of texts, cannot be loaded.
  const text = navigator.language.startsWith("de")
    ? "Browser führen diese Seite nicht von der Festplatte aus. Starte tabiya-web; oder stelle diesen Ordner bereit, etwa mit python3 -m http.server, und öffne http://localhost:8000."
    : "Browsers do not run this page from the disk. Start tabiya-web; or serve this folder, for example by python3 -m http.server, and open http://localhost:8000.";
  message?.firstElementChild?.append(text);
  if (message) message.hidden = false;
}
