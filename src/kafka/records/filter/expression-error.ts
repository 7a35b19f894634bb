/** An error in an expression, with its position in the text. */
export class ExpressionError extends Error {
  override readonly name = 'ExpressionError';
  readonly at: number;
  readonly hints: readonly string[];

  constructor(at: number, reason: string, hints: readonly string[] = []) {
    super(reason);
    this.at = at;
    this.hints = hints;
  }
}
