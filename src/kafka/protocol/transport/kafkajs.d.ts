/**
 * Types for the internals of kafkajs 2.2.4 that weir uses: its SASL mechanisms. The package has no types for them;
 * `test/kafka/protocol/transport/contract.test.ts` checks these declarations.
 */
declare module 'kafkajs/src/loggers/index.js' {
  export interface Logger {
    debug(message: string, extra?: object): void;
    error(message: string, extra?: object): void;
  }
}

declare module 'kafkajs/src/broker/saslAuthenticator/*.js' {
  import type { Logger } from 'kafkajs/src/loggers/index.js';

  /** One message of a mechanism; bytes are encoded as an int32 length followed by the bytes. */
  export interface SaslExchange {
    readonly request: { encode(): Promise<Buffer> };
    readonly response: { decode(bytes: Buffer): Promise<unknown>; parse(decoded: unknown): Promise<unknown> };
  }

  export interface AuthenticatorArguments {
    readonly host: string;
    readonly port: number;
    readonly logger: Logger;
    readonly saslAuthenticate: (exchange: SaslExchange) => Promise<unknown>;
  }

  /** A SASL mechanism of kafkajs. */
  export type AuthenticatorProvider = (credentials: {
    readonly username: string;
    readonly password: string;
  }) => (args: AuthenticatorArguments) => { authenticate(): Promise<void> };

  const provider: AuthenticatorProvider;
  // biome-ignore lint/style/noDefaultExport: an importer sees the CommonJS module as a default export
  export default provider;
}
