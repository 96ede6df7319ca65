// A unit test of the modules that the page loads at once.

import assert from "node:assert/strict";
import fs from "node:fs";
import { test } from "node:test";

const PAGE = new URL("../../../crates/web/page/", import.meta.url);
const SHARED = new URL("../../../crates/review/page/shared/", import.meta.url);

/** Adds the names of a script and of all that it imports. */
function addImports(names, name, folder) {
  if (names.has(name)) return names;
  names.add(name);
  for (const [, place, file] of fs.readFileSync(new URL(name, folder), "utf8").matchAll(/^(?:import|export) .*"(\.\/|#shared\/)(.+)";$/gm)) {
    addImports(names, file, place === "./" ? folder : SHARED);
  }
  return names;
}

test("the page preloads the modules that it imports, and no others", () => {
  const html = fs.readFileSync(new URL("index.html", PAGE), "utf8");
  const preloaded = [...html.matchAll(/<link rel="modulepreload" href="(.+?)">/g)].map(([, name]) => name);
  // Runs as soon as it is there, so that the texts are loaded beside the other modules.
  const [, early] = /<script type="module" async src="(.+?)">/.exec(html) ?? [];
  assert.deepEqual([...preloaded, early].sort(), [...addImports(new Set(), "main.js", PAGE)].sort());
  for (const later of ["texts-en.js", "texts-de.js", "train.js", "explain.js", "setup.js", "games.js"]) assert.ok(!preloaded.includes(later), later);
});
