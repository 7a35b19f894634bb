import { createUnit, type Unit } from '../../../generated/unit.ts';
import type { FieldPlan, MessagePlan } from '../message-plan.ts';

/** The state of generating. */
export interface Emitter {
  readonly literals: Uint8Array[];
  readonly symbols: (readonly Uint8Array[])[];
  readonly fields: FieldPlan[];
  /** The indexes of `symbols` by the texts that fields share. */
  readonly enums: Map<readonly Uint8Array[], number>;
  readonly messages: Map<MessagePlan, Unit>;
  /** The number of fields in all messages. */
  size: number;
}

/** Larger message types would be compiled badly. */
const mostFields = 300;
/** The careful decoder does the message types beyond this number of fields in all. */
const mostFieldsInAll = 3000;

/** Returns the unit of a message type; undefined if it has none. */
export function unitOf(emitter: Emitter, plan: MessagePlan): Unit | undefined {
  const { messages } = emitter;
  const cached = messages.get(plan);
  if (cached !== undefined) return cached;
  const { length } = plan.fields;
  if (plan.special !== undefined || length > mostFields || emitter.size + length > mostFieldsInAll) return undefined;
  emitter.size += length;
  const unit = createUnit(`u${messages.size}`);
  messages.set(plan, unit);
  return unit;
}
