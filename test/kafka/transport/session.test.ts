import { describe, expect, it } from 'vitest';
import { metadataAnswer } from '../../services/scripted-answers.ts';
import { clientOf, failureOf } from '../../services/scripted-client.ts';
import { scriptedLinks } from '../../services/scripted-link.ts';

const saslHint = 'if the listener requires SASL, set -X user=NAME -X pass=PASSWORD -X sasl.mechanism=MECHANISM';
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
