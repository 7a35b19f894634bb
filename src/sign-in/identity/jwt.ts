/** Makes a JSON Web Token (RFC 7519) in its compact form. @param sign signs the text of the first two parts */
export function signedJwt(header: object, claims: object, sign: (text: Buffer) => Buffer): string {
  const text = [header, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
  return `${text}.${sign(Buffer.from(text)).toString('base64url')}`;
}
