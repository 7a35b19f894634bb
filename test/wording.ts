import { relative, resolve } from 'node:path';
import type { Expression, Node, SourceFile } from 'typescript/unstable/ast';
import {
  isBinaryExpression,
  isImportDeclaration,
  isNoSubstitutionTemplateLiteral,
  isPropertyAssignment,
  isStringLiteral,
  isTemplateExpression,
  isTypeNode,
} from 'typescript/unstable/ast/is';
import { API } from 'typescript/unstable/sync';

export const wordingFile = 'test/wording.txt';

const root = resolve(import.meta.dirname, '..');

/** Properties whose text is printed, so that a single word counts. */
const printed = new Set(['summary', 'description', 'help', 'hint', 'message', 'title']);

/** Sources whose long strings are programs: for WebAssembly, for a shell, for the simulated plugin. */
const programs = ['src/**/assembly', 'src/cli/completion', 'src/sandbox/cloud/plugin-text.ts'];

const heading = `\
Every text in the sources that a person may read, by file and in the order of the file, for reviews of the wording.
Written by "npm run generate": do not edit. {…} is an expression, ␣ a space at an end of a text.
It has all strings of two or more words, and single words that are a summary, help, a message or a hint.
`;

/** The golden file: every text in `src` and `bin` that a person may read. */
export function wording(): string {
  const sections: string[] = [];
  for (const file of sourceFiles()) {
    const texts = textsOf(file).map(entry);
    if (texts.length > 0) sections.push(`${relative(root, file.fileName)}\n${texts.join('')}`);
  }
  return [heading, ...sections.toSorted()].join('\n');
}

/** Parses the sources alone: no library and no import is loaded. */
function sourceFiles(): readonly SourceFile[] {
  const config = resolve(root, 'wording.tsconfig.json');
  const content = JSON.stringify({
    compilerOptions: { module: 'nodenext', allowJs: true, noEmit: true, noLib: true, noResolve: true, types: [] },
    include: ['src', 'bin'],
    exclude: programs,
  });
  const api = new API({
    cwd: root,
    fs: {
      readFile: (name) => (name === config ? content : undefined),
      fileExists: (name) => (name === config ? true : undefined),
    },
  });
  try {
    using snapshot = api.updateSnapshot({ openProjects: [config] });
    const { rootFiles = [], program } = snapshot.getProject(config) ?? {};
    return rootFiles.map((name) => program?.getSourceFile(name)).filter((file) => file !== undefined);
  } finally {
    api.close();
  }
}

/** The texts of a file, in its order. A text within the expression of another one is not repeated. */
function textsOf(file: SourceFile): readonly string[] {
  const texts: string[] = [];
  const visit = (node: Node): void => {
    if (isImportDeclaration(node) || isTypeNode(node)) return;
    const text = textOf(node, file);
    if (text === undefined || !isWording(text, node)) node.forEachChild(visit);
    else texts.push(text.whole);
  };
  visit(file);
  return texts;
}

interface Text {
  /** With expressions as `{expression}`. */
  readonly whole: string;
  /** With expressions as `{}`. */
  readonly literal: string;
}

/** The text of a string, a template, or a concatenation that has one of these; undefined for any other node. */
function textOf(node: Node, file: SourceFile): Text | undefined {
  if (isStringLiteral(node) || isNoSubstitutionTemplateLiteral(node)) return { whole: node.text, literal: node.text };
  if (isTemplateExpression(node)) {
    let { text: whole } = node.head;
    let literal = whole;
    for (const { expression, literal: after } of node.templateSpans) {
      whole += shown(expression, file) + after.text;
      literal += `{}${after.text}`;
    }
    return { whole, literal };
  }
  if (!isBinaryExpression(node) || node.operatorToken.getText(file) !== '+') return undefined;
  const sides = [textOf(node.left, file), textOf(node.right, file)];
  if (sides.every((side) => side === undefined)) return undefined;
  const [left, right] = [node.left, node.right].map(
    (side, n) => sides[n] ?? { whole: shown(side, file), literal: '{}' },
  );
  return { whole: `${left?.whole}${right?.whole}`, literal: `${left?.literal}${right?.literal}` };
}

function shown(expression: Expression, file: SourceFile): string {
  return `{${expression.getText(file).replaceAll(/\s+/g, ' ')}}`;
}

function isWording({ literal }: Text, node: Node): boolean {
  const words = literal.split(/\s+/).filter((word) => word !== '');
  if (words.length > 1 && words.some((word) => /\p{L}{2}/u.test(word))) return true;
  const { parent } = node;
  return isPropertyAssignment(parent) && printed.has(parent.name.getText()) && /\p{L}{2}/u.test(literal);
}

/** One text as lines of the file, the first at two spaces, the others at four. */
function entry(text: string): string {
  const visible = text
    .replace(/\n+$/, '')
    .replaceAll(/^ | $/g, '␣')
    .replaceAll(/[^\P{C}\n]/gu, escaped);
  return `  ${visible.replaceAll('\n', '\n    ').replaceAll(/ +$/gm, '')}\n`;
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
