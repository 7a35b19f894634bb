import { expect, test } from 'vitest';
import { withoutSecrets } from '../../src/config/child-environment.ts';

test('no secret of weir reaches a child process', () => {
  expect(Object.entries(withoutSecrets).toSorted()).toEqual([
    ['WEIR_CLOUD_CLIENT_SECRET', undefined],
    ['WEIR_CLOUD_TOKEN', undefined],
    ['WEIR_PASS', undefined],
  ]);
});
