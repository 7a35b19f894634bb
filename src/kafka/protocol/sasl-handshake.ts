import { type Api, adapted } from './api.ts';

/** The mechanism that the client wants to authenticate with. */
export interface SaslHandshakeRequest {
  readonly mechanism: string;
}

/** Whether the mechanism may be used, and which mechanisms the listener offers. */
export interface SaslHandshakeResponse {
  readonly errorCode: number;
  readonly mechanisms: readonly string[];
}

/** SaslHandshake v1 (KIP-43, KIP-152): SaslAuthenticate requests follow. It never became flexible. */
export const saslHandshake: Api<SaslHandshakeRequest, SaslHandshakeResponse> = adapted({
  name: 'SaslHandshake',
  key: 17,
  min: 1,
  max: 1,
  flexibleFrom: Number.POSITIVE_INFINITY,
  target: 'broker',
  repeatable: true,
  encode(writer, request) {
    writer.string(request.mechanism);
  },
  decode: (reader) => ({ throttleMs: 0, errorCode: reader.int16(), mechanisms: reader.array(reader.string) }),
  errorCode: (response) => response.errorCode,
});
