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
  const preloaded = [...fs.readFileSync(new URL("index.html", PAGE), "utf8").matchAll(/<link rel="modulepreload" href="(.+?)">/g)].map(([, name]) => name);
  assert.deepEqual(preloaded.sort(), [...addImports(new Set(), "main.js", PAGE)].sort());
});
