import type { Deadline } from '../../deadline.ts';
import type { Address } from '../../net/address.ts';
import type { BearerSource, BearerToken } from '../../net/bearer.ts';
import type { FirstContact } from '../../net/hosts.ts';
import type { ProxySettings } from '../../net/proxies.ts';
import type { Secret } from '../../net/secret.ts';
import type { TlsOptions } from '../../net/tls.ts';
import type { DialLink } from './transport/link.ts';

/** The options of the broker client; `context.ts` fills them from the configuration. */
export interface KafkaOptions {
  readonly brokers: readonly Address[];
  /** Undefined: plain TCP. */
  readonly tls: TlsOptions | undefined;
  /** The proxy that leads to the brokers; undefined: none. */
  readonly proxy?: ProxySettings | undefined;
  readonly sasl: SaslOptions | undefined;
  /** What to set if a listener turns out to require SASL, for a hint; default: a user. */
  readonly howToSignIn?: string | undefined;
  /** Shown in broker logs and metrics. */
  readonly clientId: string;
  readonly deadline: Deadline;
  /** Opens connections to brokers; default: TCP. */
  readonly dial?: DialLink;
  /**
   * What to do when every seed broker refuses the connection, has a name that does not resolve or answers nothing, and no
   * broker has been reached before. By default refused connections and missing answers are retried and unresolved names
   * are not.
   */
  readonly firstContact?: FirstContact;
  /** The sandbox that the brokers belong to, for advice. */
  readonly sandbox?: string | undefined;
  /** Whether nobody has named the brokers, for advice. */
  readonly isDefaultAddress?: boolean;
  /** The version of weir, which brokers report in their client metrics (KIP-511). */
  readonly softwareVersion?: string;
  /** Called for what the user should know although nothing fails. */
  readonly warn?: (line: string) => void;
  /** Called once per request, for `--trace` and `-v`. */
  readonly trace?: (event: RequestTrace) => void;
  /** Called before a request of an API that changes the cluster. */
  readonly onChange?: () => void;
}

/** SASL credentials. */
export type SaslOptions = PasswordSasl | BearerSasl | IamSasl;

/** A user with a password. */
export interface PasswordSasl extends TurnOff {
  readonly mechanism: 'PLAIN' | 'SCRAM-SHA-256' | 'SCRAM-SHA-512';
  readonly username: string;
  readonly password: Secret;
  /** The hint that says where the two come from. */
  readonly whose?: string;
}

/** OAuth tokens (RFC 7628, KIP-255). */
export interface BearerSasl extends TurnOff {
  readonly mechanism: 'OAUTHBEARER';
  readonly tokens: BearerSource;
  /** SASL extensions (KIP-342), such as `logicalCluster`. */
  readonly extensions: readonly (readonly [key: string, value: string])[];
}

/** An identity of AWS, for Amazon MSK. */
export interface IamSasl extends TurnOff {
  readonly mechanism: 'AWS_MSK_IAM';
  /** The same identity as a source of tokens. */
  readonly tokens: BearerSource;
  /** Signs the message for one broker. */
  sign(host: string): Promise<BearerToken>;
}

interface TurnOff {
  /** The hint that says how to turn SASL off, which depends on the source of the credentials. */
  readonly turnOff?: string;
}

/** The trace record of one request. */
export interface RequestTrace {
  readonly api: string;
  readonly version: number;
  /** `host:port`, with the node id if it is known. */
  readonly node: string;
  readonly milliseconds: number;
  readonly sentBytes: number;
  readonly receivedBytes: number;
  readonly error?: string;
}
