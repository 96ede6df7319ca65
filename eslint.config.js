// Rules for the scripts of the pages and their tests. `tsc` checks the types, and with them unknown names.

import { createRequire } from "node:module";
import { env } from "node:process";

// The packages are where CI installs them.
const require = createRequire(env.NODE_PATH ? `${env.NODE_PATH}/` : new URL("target/ci-browser/node_modules/", import.meta.url));
const js = require("@eslint/js");
const globals = require("globals");

export default [
  // Vendored.
  { ignores: ["crates/web/page/idb.js"] },
  js.configs.recommended,
  {
    languageOptions: { ecmaVersion: 2025, sourceType: "module", globals: globals.browser },
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: {
      eqeqeq: "error",
      "no-else-return": "error",
      "no-shadow": ["error", { builtinGlobals: false }],
      "no-throw-literal": "error",
      "no-unused-expressions": "off",
      "no-use-before-define": ["error", { classes: false, functions: false, variables: false }],
      "no-var": "error",
      "object-shorthand": "error",
      "prefer-arrow-callback": "error",
      "prefer-const": "error",
      "prefer-template": "error",
    },
  },
  { files: ["tests/web/**"], languageOptions: { globals: { ...globals.node, ...globals.browser } }, rules: { "no-shadow": "off" } },
  { files: ["**/*.cjs"], languageOptions: { sourceType: "commonjs" } },
];
