// Rules for the scripts of the pages and their tests. `tsc` checks the types, and with them unknown names.

import { createRequire } from "node:module";
import { env } from "node:process";

// The packages are where CI installs them.
const require = createRequire(env.NODE_PATH ? `${env.NODE_PATH}/` : new URL("target/ci-browser/node_modules/", import.meta.url));
const js = require("@eslint/js");
const globals = require("globals");

const TEXT = "belongs to the catalogues of texts: texts-en.js and those of the other languages";
/** Two words, the second without a capital; names of classes and commands have none between them. */
const WORDS = "/[A-Za-z]{2,}[,:]? [a-z]{2,}|[A-Za-z]{2,}[.…]$/";
/** Selectors of elements, and names of classes and terms. */
const NAMES = ':not(CallExpression[callee.property.name=/^(closest|matches)$/] > *, Property > .key, Property[key.name=/^class(Name)?$/] > *, VariableDeclarator[id.name="kind"] > *)';
const LETTERS = "/[A-Za-z]{2}/";
/** Names of properties, and the cause of a message. */
const NO_TEXT = ":not(.key, CallExpression > :nth-child(2))";
/** Places whose strings a user reads. */
const SHOWN = [
  'AssignmentExpression[left.property.name="textContent"]',
  'CallExpression[callee.name=/^(announce|confirm|showMessage)$/]',
  'NewExpression[callee.name="Error"]',
  'Property:matches([key.name=/^(title|placeholder|label)$/], [key.value=/^aria-(label|valuetext|roledescription)$/])',
];
/** Strings of the page outside the catalogues. */
const foreignTexts = [
  `Literal[value=${WORDS}]${NAMES}`, `TemplateElement[value.raw=${WORDS}]`,
  ...SHOWN.flatMap((place) => [`${place} > Literal[value=${LETTERS}]${NO_TEXT}`, `${place} > :matches(ConditionalExpression, LogicalExpression, BinaryExpression) > Literal[value=${LETTERS}]`]),
].map((selector) => ({ selector, message: `A text ${TEXT}.` }));

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
  // Reports and the shared words are in English.
  { files: ["crates/web/page/**", "crates/wasm/page/**"], ignores: ["**/texts-*.js", "**/opened-as-file.js"], rules: { "no-restricted-syntax": ["error", ...foreignTexts] } },
  { files: ["tests/web/**"], languageOptions: { globals: { ...globals.node, ...globals.browser } }, rules: { "no-shadow": "off" } },
];
