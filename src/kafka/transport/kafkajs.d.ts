/**
 * The internals of kafkajs 2.2.4 that weir stands on, as far as it uses them. The package has no types
 * for them; `test/kafka/transport/contract.test.ts` checks that they look like this.
 */
declare module 'kafkajs/src/network/connection.js' {
  import type { Socket } from 'node:net';
  import type { Logger } from 'kafkajs/src/loggers/index.js';
  import type RequestQueue from 'kafkajs/src/network/requestQueue/index.js';

  export interface SocketFactoryArguments {
    readonly host: string;
    readonly port: number;
    readonly onConnect: () => void;
  }

  export interface ConnectionOptions {
    readonly host: string;
    readonly port: number;
    readonly logger: Logger;
    readonly socketFactory: (args: SocketFactoryArguments) => Socket;
    readonly clientId: string;
    readonly requestTimeout: number;
    readonly connectionTimeout: number;
    readonly enforceRequestTimeout: boolean;
  }

  class Connection {
    constructor(options: ConnectionOptions);
    host: string;
    port: number;
    socket: Socket | undefined;
    socketFactory: (args: SocketFactoryArguments) => Socket;
    requestQueue: RequestQueue;
    connectionStatus: 'connected' | 'disconnecting' | 'disconnected';
    correlationId: number;
    connect(): Promise<boolean>;
    disconnect(): Promise<boolean>;
    isConnected(): boolean;
    failIfNotConnected(): void;
    nextCorrelationId(): number;
    processData(bytes: Buffer): void;
    rejectRequests(error: Error): void;
  }
  // biome-ignore lint/style/noDefaultExport: what the CommonJS module is to an importer
  export default Connection;
}

declare module 'kafkajs/src/network/requestQueue/index.js' {
  import type { Logger } from 'kafkajs/src/loggers/index.js';

  export interface Answer {
    readonly correlationId: number;
    readonly size: number;
    readonly payload: Buffer | null;
  }

  export interface RequestEntry {
    readonly apiKey: number;
    readonly apiName: string;
    readonly apiVersion: number;
    readonly correlationId: number;
    readonly resolve: (answer: Answer) => void;
    readonly reject: (error: Error) => void;
  }

  export interface PushedRequest {
    readonly entry: RequestEntry;
    readonly expectResponse: boolean;
    readonly requestTimeout: number | null;
    readonly sendRequest: () => void;
  }

  export interface SocketRequest {
    readonly correlationId: number;
    rejected(error: Error): void;
  }

  export interface RequestQueueOptions {
    readonly maxInFlightRequests: number | null;
    readonly requestTimeout: number;
    readonly enforceRequestTimeout: boolean;
    readonly clientId: string;
    readonly broker: string;
    readonly logger: Logger;
    readonly isConnected: () => boolean;
  }

  class RequestQueue {
    constructor(options: RequestQueueOptions);
    inflight: Map<number, SocketRequest>;
    pending: SocketRequest[];
    throttledUntil: number;
    throttleCheckTimeoutId: NodeJS.Timeout | null;
    push(request: PushedRequest): void;
    fulfillRequest(answer: Answer): void;
    rejectAll(error: Error): void;
    checkPendingRequests(): void;
    scheduleCheckPendingRequests(): void;
    scheduleRequestTimeoutCheck(): void;
    canSendSocketRequestImmediately(): boolean;
    maybeThrottle(milliseconds: number): void;
    destroy(): void;
  }
  // biome-ignore lint/style/noDefaultExport: what the CommonJS module is to an importer
  export default RequestQueue;
}

declare module 'kafkajs/src/loggers/index.js' {
  export interface Logger {
    namespace(name: string): Logger;
    debug(message: string, extra?: object): void;
    info(message: string, extra?: object): void;
    warn(message: string, extra?: object): void;
    error(message: string, extra?: object): void;
  }
}

declare module 'kafkajs/src/broker/saslAuthenticator/*.js' {
  import type { Logger } from 'kafkajs/src/loggers/index.js';

  /** One message of a mechanism; a list of bytes is its own length (int32) followed by the bytes. */
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
  // biome-ignore lint/style/noDefaultExport: what the CommonJS module is to an importer
  export default provider;
}
