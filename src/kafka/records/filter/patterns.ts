import { RE2JS } from 're2js';
import { ExpressionError } from './expression-error.ts';

/** Compiles regular expressions that are matched in linear time, whatever they and the text are. */
export interface Patterns {
  compile(pattern: string, at: number): Pattern;
}

/** A compiled regular expression. */
export interface Pattern {
  /** How much work a character is, in steps. */
  readonly stepsPerCharacter: number;
  /** Whether it matches anywhere in the text. */
  test(text: string): boolean;
}

/** The instructions of all patterns of an expression; each takes some microseconds to compile. */
const mostInstructions = 20_000;

/** Creates an empty set of patterns. */
export function createPatterns(): Patterns {
  let instructions = 0;
  return {
    compile(pattern, at) {
      const compiled = compile(pattern, at);
      const size = compiled.programSize();
      instructions += size;
      if (instructions > mostInstructions) throw new ExpressionError(at, 'the regular expressions are too large');
      return { stepsPerCharacter: size / 16, test: (text) => compiled.test(text) };
    },
  };
}

function compile(pattern: string, at: number): RE2JS {
  try {
    return RE2JS.compile(pattern);
  } catch (error) {
    const reason = error instanceof Error ? error.message.replace(/^error parsing regexp: /, '') : String(error);
    throw new ExpressionError(at, `invalid regular expression: ${reason}`, hintsOf(pattern));
  }
}

function hintsOf(pattern: string): readonly string[] {
  if (/\(\?<?[=!]/.test(pattern)) {
    return ['look-around is not supported, because it may take hours: use several conditions with && and !'];
  }
  if (/\\[1-9]|\\k</.test(pattern)) return ['references to groups are not supported, because they may take hours'];
  return [];
}
