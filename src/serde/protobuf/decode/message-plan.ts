import type { DescMessage, ScalarType } from '@bufbuild/protobuf';
import type { Arena, Literal } from '../../../bytes/arena.ts';
import type { Natural } from '../../natural.ts';
import type { Payload } from './payload.ts';
import type { ScalarReader } from './scalars.ts';

/** Appends the JSON form of a well-known type. */
export type WellKnownWriter = (payload: Payload, arena: Arena, message: Message) => void;

/** How a message type is decoded. */
export interface MessagePlan {
  readonly type: DescMessage;
  /** Writes the JSON of a well-known type; undefined for an object with the fields. */
  readonly special: WellKnownWriter | undefined;
  /** In the order of the schema, then the extensions. */
  readonly fields: readonly FieldPlan[];
  find(number: number): FieldPlan | undefined;
  readonly required: readonly FieldPlan[];
  /** Makes values of its JSON. */
  readonly natural: Natural;
  /** Returns the plan of the type of that full name, for google.protobuf.Any; undefined if the schema has none. */
  planOf(typeName: string): MessagePlan | undefined;
}

/** How a field is decoded. */
export interface FieldPlan {
  readonly index: number;
  readonly number: number;
  readonly name: string;
  /** The name as part of a path. */
  readonly path: string;
  /** The name in JSON and a colon, with a comma in front and without. */
  readonly key: Literal;
  readonly firstKey: Literal;
  readonly kind: 'single' | 'list' | 'map';
  /** The wire type of one value. */
  readonly wire: number;
  /** The wire type of the values of a map. */
  readonly valueWire: number;
  /** Whether several values may come as one. */
  readonly isPackable: boolean;
  /** Whether zero is the same as no value. */
  readonly isImplicit: boolean;
  /** The index of its oneof in the message type, or -1. */
  readonly oneof: number;
  /** Appends one value and moves past it. */
  readonly write: ScalarReader['write'];
  /** Returns the message type of the values, or of the values of the map; undefined for scalars and enums. */
  readonly message: (() => MessagePlan) | undefined;
  /** The number of the group, or 0. */
  readonly group: number;
  readonly scalar: ScalarType | undefined;
  /** The texts of an enum whose values are numbered from 0 without a gap, as JSON; undefined for others. */
  readonly symbols: readonly Uint8Array[] | undefined;
  /** The numbers of the values of a closed enum; others count as unknown fields. */
  readonly closed: ReadonlySet<number> | undefined;
  /** The type of the keys of a map. */
  readonly mapKey: ScalarType | undefined;
}

/** The notes of one field. */
export interface Occurrences {
  readonly from: number;
  readonly to: number;
}

/** A message of a well-known type whose fields were found. */
export interface Message {
  readonly plan: MessagePlan;
  /** Where its notes begin. */
  readonly base: number;
}
