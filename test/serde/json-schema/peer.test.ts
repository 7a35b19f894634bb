import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compileJsonSchema } from '../../../src/serde/json-schema/json-schema.ts';
import { decoded, failureOf } from '../decoded.ts';
import { cases } from './random-cases.ts';

const script = fileURLToPath(new URL('./peer.py', import.meta.url));

test.each([4, 6, 7, 2019, 2020] as const)('values are valid for us if they are for Python: draft %i', async (draft) => {
  const asked = fc.sample(cases(draft), 40);
  const { stdout } = await execa('/usr/bin/python3', [script], { input: JSON.stringify(asked) });
  const verdicts: boolean[][] = JSON.parse(stdout);
  for (const [at, { schema, documents, values }] of asked.entries()) {
    const references = documents.map(([name, document]) => ({ name, text: JSON.stringify(document) }));
    const decoder = compileJsonSchema({ type: 'JSON', text: JSON.stringify(schema), references }).decoder();
    for (const [index, one] of values.entries()) {
      const json = JSON.stringify(one);
      const failure = failureOf(() => expect(decoded(decoder, Buffer.from(json))).toBe(json));
      expect(failure === 'no failure', `${json} ${failure} ${JSON.stringify([schema, documents])}`).toBe(
        verdicts[at]?.[index],
      );
    }
  }
});
