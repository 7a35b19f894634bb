import { describe, expect, it } from 'vitest';
import { metadata } from '../../../../src/kafka/protocol/wire/apis/metadata.ts';
import { metadataAnswer } from '../../../services/scripted-answers.ts';
import { clientOf, deadlineOf, failureOf } from '../../../services/scripted-client.ts';
import { scriptedLinks } from '../../../services/scripted-link.ts';
import { createVirtualClock } from '../../../simulation/virtual-clock.ts';

const saslHint =
  'if the listener requires SASL, set user, pass and sasl.mechanism: weir profile set user=NAME pass, or WEIR_USER and WEIR_PASS';
const answered = metadataAnswer({ brokers: [] });

describe('a connection that the broker closes', () => {
  it('before it has answered a request may need SASL', async () => {
    const { dial } = scriptedLinks({ Metadata: 'drop' });
    await using client = clientOf(['b:9092'], { retry: 0 }, { dial });
    const error = await failureOf(client.metadata([]));
    expect({ code: error.code, hints: error.hints }).toEqual({ code: 'CONNECTION_LOST', hints: [saslHint] });
  });

  it('after it has answered one has no need of SASL', async () => {
    const { dial } = scriptedLinks({ Metadata: [answered, 'drop'] });
    await using client = clientOf(['b:9092'], { retry: 0 }, { dial });
    await client.metadata([]);
    const error = await failureOf(client.metadata([]));
    expect({ code: error.code, hints: error.hints }).toEqual({ code: 'CONNECTION_LOST', hints: [] });
  });
});

describe('a request that times out', () => {
  it('leaves those in flight their answers, and the connection ends after the last', async () => {
    const clock = createVirtualClock();
    const slow = { answer: answered, afterMs: 500 };
    const links = scriptedLinks({ Metadata: [answered, 'silent', slow] });
    const deadline = deadlineOf({ overhead: 1_000, retry: 0, command: 60_000 }, clock);
    await using client = clientOf(['b:9092'], {}, { dial: links.dial, deadline });
    await client.metadata([]);
    const connection = links.connections;
    const first = failureOf(client.requestOnce(metadata, { topics: [] }, 'any'));
    await clock.runFor(900);
    const second = client.requestOnce(metadata, { topics: [] }, 'any');
    await clock.runFor(1_600);
    expect((await first).code).toBe('REQUEST_TIMEOUT');
    await second;
    expect(links.connections).toBe(connection);
  });
});
