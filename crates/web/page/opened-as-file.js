// Explains why the page does not work if it has been opened from the disk, where browsers load this classic script but refuse modules.

if (location.protocol === "file:") {
  const message = document.getElementById("message");
  const text =
    "Browsers do not run this page from the disk. Start tabiya-web; or serve this folder, for example by python3 -m http.server, and open http://localhost:8000.";
  message?.firstElementChild?.append(text);
  if (message) message.hidden = false;
}
