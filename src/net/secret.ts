/** A secret that is sent to sign in, or what reads it for each sign-in, because it may have changed. */
export type Secret = string | (() => Promise<string>);

/** The text of a secret now. */
export async function secretText(secret: Secret): Promise<string> {
  return typeof secret === 'string' ? secret : await secret();
}
