import type { DescMessage } from '@bufbuild/protobuf';
import type { JsonValue } from '../../json/json-value.ts';
import type { Output } from './output.ts';
import type { ValueWriter } from './scalars.ts';

/** Appends the fields of a message. */
export type WriteContent = (output: Output, value: JsonValue, plan: MessagePlan) => void;

/** How a message type is encoded. */
export interface MessagePlan {
  readonly type: DescMessage;
  /** Whether its JSON has another form than an object with its fields. */
  readonly isSpecial: boolean;
  /** Appends the fields. */
  readonly write: WriteContent;
  /** By the name in JSON and the one of the schema. */
  readonly fields: ReadonlyMap<string, FieldPlan>;
  readonly required: readonly FieldPlan[];
  /** Returns the plan of the type of that full name; undefined if the schema has none. */
  planOf(typeName: string): MessagePlan | undefined;
}

/** How a field is encoded. */
export interface FieldPlan {
  readonly number: number;
  readonly jsonName: string;
  readonly kind: 'single' | 'list' | 'map';
  readonly isPacked: boolean;
  /** Whether zero is the same as no value. */
  readonly isImplicit: boolean;
  /** The name of its oneof. */
  readonly oneof: string | undefined;
  /** Whether null is a value. */
  readonly takesNull: boolean;
  readonly value: ValueWriter;
  /** Writes the keys of a map. */
  readonly mapKey: ValueWriter | undefined;
}
