import { Instrumenter } from '@stryker-mutator/instrumenter';

/** A place in a text: line from 1, column from 0. */
interface Position {
  readonly line: number;
  readonly column: number;
}

/** A change of a source file that a test should notice. */
export interface Mutant {
  readonly file: string;
  readonly start: Position;
  readonly end: Position;
  /** The text that replaces what is between start and end. */
  readonly replacement: string;
  /** The kind of change, by Stryker's name. */
  readonly kind: string;
  /** Whether the place runs when the module is loaded, rather than in a function. */
  readonly isTopLevel: boolean;
}

/** A node of Babel's tree with its ancestors: the part of it that is used here. */
interface NodePath {
  readonly node: {
    readonly type: string;
    readonly value?: unknown;
    readonly key?: { readonly name?: string };
    readonly quasis?: readonly { readonly value: { readonly raw: string } }[];
    readonly loc?: { readonly start: Position; readonly end: Position } | null;
  };
  getFunctionParent(): unknown;
  isFunction(): boolean;
}

const silent = () => undefined;
const logger = {
  isTraceEnabled: () => false,
  isDebugEnabled: () => false,
  isInfoEnabled: () => false,
  isWarnEnabled: () => false,
  isErrorEnabled: () => false,
  isFatalEnabled: () => false,
  trace: silent,
  debug: silent,
  info: silent,
  warn: silent,
  error: silent,
  fatal: silent,
};

/** The properties of a command, a flag or an option that are texts of its help. */
const helpKeys = ['summary', 'description', 'examples', 'help'];

/** Finds all mutants of a source file, except those of texts of the help. @throws Error for a text that is not TypeScript */
export async function mutantsOf(file: string, text: string): Promise<readonly Mutant[]> {
  const functions: { readonly start: Position; readonly end: Position }[] = [];
  const ignorer = {
    shouldIgnore(given: object): string | undefined {
      const path = given as NodePath;
      const { loc } = path.node;
      if (path.isFunction() && loc) functions.push({ start: loc.start, end: loc.end });
      return isHelp(path) ? 'text of the help' : undefined;
    },
  };
  const options = { plugins: null, excludedMutations: [], noHeader: true, ignorers: [ignorer] };
  const { mutants } = await new Instrumenter(logger).instrument([{ name: file, content: text, mutate: true }], options);
  return mutants
    .filter(({ status }) => status !== 'Ignored')
    .map(({ location, replacement = '', mutatorName }) => {
      const start = { line: location.start.line + 1, column: location.start.column };
      const end = { line: location.end.line + 1, column: location.end.column };
      return {
        ...{ file, start, end, kind: mutatorName },
        // The operands of the other operator may bind less than what is around them.
        replacement: mutatorName === 'LogicalOperator' ? `(${replacement})` : replacement,
        isTopLevel: !functions.some((one) => !isBefore(start, one.start) && !isBefore(one.end, end)),
      };
    });
}

/** Whether a node is a text of the help: the value of such a key, or a text of several words outside of every function. */
function isHelp(path: NodePath): boolean {
  const { type, value, key, quasis } = path.node;
  if (type === 'ObjectProperty') return helpKeys.includes(key?.name ?? '') && path.getFunctionParent() === null;
  const text = type === 'StringLiteral' ? String(value) : (quasis ?? []).map((part) => part.value.raw).join('');
  return /\S\s+\S/.test(text) && path.getFunctionParent() === null;
}

function isBefore(a: Position, b: Position): boolean {
  return a.line < b.line || (a.line === b.line && a.column < b.column);
}

/** Makes the change in the text of the mutant's file. */
export function mutate(text: string, { start, end, replacement }: Mutant): string {
  return text.slice(0, offsetOf(text, start)) + replacement + text.slice(offsetOf(text, end));
}

function offsetOf(text: string, { line, column }: Position): number {
  let at = 0;
  for (let passed = 1; passed < line; passed += 1) at = text.indexOf('\n', at) + 1;
  return at + column;
}

/** Whether a text can be parsed; its types are not checked. */
export function isTypeScript(file: string, text: string): Promise<boolean> {
  return mutantsOf(file, text).then(
    () => true,
    () => false,
  );
}
