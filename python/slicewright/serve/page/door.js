// The door of the page: leads a browser that was let in to the path of its cookie, which no other port of this host is sent.

{
  const KEPT = "slicewright-key";
  const given = document.documentElement.dataset.key;
  if (given) localStorage.setItem(KEPT, given);
  const key = given || localStorage.getItem(KEPT) || "";
  const here = new URL("./", location.href).pathname;
  if (/^[\w-]+$/.test(key) && !here.endsWith(`/${key}/`)) history.replaceState(null, "", `${here}${key}/${location.hash}`);

  const say = () => {
    document.getElementById("main").textContent = "Open the address that slicewright serve has printed; it has a token.";
  };
  const closed = () => document.readyState === "loading" ? addEventListener("DOMContentLoaded", say) : say();
  /** Adds an element to the head, whose address is below the path of the cookie. */
  const add = (name, attributes) => document.head.append(Object.assign(document.createElement(name), attributes));
  if (key) {
    add("link", { rel: "icon", type: "image/svg+xml", href: "page/icon.svg" });
    add("link", { rel: "stylesheet", href: "style.css" });
    add("script", { type: "module", src: "page/app.js", onerror: closed });
  } else {
    add("link", { rel: "icon", href: "data:," });
    closed();
  }
}
