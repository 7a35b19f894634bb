import { type Api, adapted } from './api.ts';

/** One message of the SASL mechanism from the client. */
export interface SaslAuthenticateRequest {
  readonly authBytes: Uint8Array;
}

/** The broker's message, or the reason of its refusal. */
export interface SaslAuthenticateResponse {
  readonly errorCode: number;
  readonly errorMessage: string | undefined;
  readonly authBytes: Buffer;
  /** The number of milliseconds after which the client must authenticate again; 0 for never (KIP-368). */
  readonly sessionLifetimeMs: bigint;
}

/** SaslAuthenticate v0–2 (KIP-152). */
export const saslAuthenticate: Api<SaslAuthenticateRequest, SaslAuthenticateResponse> = adapted({
  name: 'SaslAuthenticate',
  key: 36,
  min: 0,
  max: 2,
  flexibleFrom: 2,
  target: 'broker',
  // A message is valid only at one place in one exchange.
  repeatable: false,
  encode(writer, request) {
    writer.bytes(request.authBytes);
    writer.tags();
  },
  decode(reader, version) {
    const error = { errorCode: reader.int16(), errorMessage: reader.nullableString() };
    const authBytes = reader.bytes();
    const sessionLifetimeMs = version >= 1 ? reader.int64() : 0n;
    reader.tags();
    return { throttleMs: 0, ...error, authBytes, sessionLifetimeMs };
  },
  errorCode: (response) => response.errorCode,
});
