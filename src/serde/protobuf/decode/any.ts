import { type Arena, appendAscii, appendByte } from '../../../bytes/arena.ts';
import { moveTo, writeTextField } from './found.ts';
import { findFields, writeFields } from './message.ts';
import type { Found } from './message-plan.ts';
import { enter, failure, type Payload, readLength } from './payload.ts';

const emptyValue = 0;

/** Appends the message in a google.protobuf.Any: its members after `@type`. */
export function writeAny(payload: Payload, arena: Arena, found: Found): void {
  const url = moveTo(payload, found, 1) ? textAt(payload) : '';
  const hasValue = moveTo(payload, found, 2);
  if (url === '' && !hasValue) {
    appendAscii(arena, '{}');
    return;
  }
  const plan = found.plan.planOf(url.slice(url.lastIndexOf('/') + 1));
  if (plan === undefined) {
    throw failure(
      payload,
      `a google.protobuf.Any of the type ${JSON.stringify(url.slice(0, 100))}, which the schema does not have`,
    );
  }
  appendAscii(arena, '{"@type":');
  writeTextField(payload, arena, found, 1);
  enter(payload);
  const { limit, foundLength } = payload;
  const length = moveTo(payload, found, 2) ? readLength(payload) : emptyValue;
  const base = findFields(payload, plan, payload.at + length, 0);
  writeMembers(payload, arena, { plan, base });
  appendByte(arena, 0x7d);
  payload.foundLength = foundLength;
  payload.limit = limit;
  payload.depth--;
}

function textAt(payload: Payload): string {
  const length = readLength(payload);
  return payload.source.bytes.toString('utf8', payload.at, payload.at + length);
}

/** Appends the members of a message, or its whole JSON as the member `value` if it has another form. */
function writeMembers(payload: Payload, arena: Arena, { plan, base }: Found): void {
  if (plan.special === undefined) writeFields(payload, arena, { plan, base }, true);
  else {
    appendAscii(arena, ',"value":');
    plan.special(payload, arena, { plan, base });
  }
}
