import { expect, test } from 'vitest';
import { setOption } from '../../../src/config/profile/edit.ts';
import { parseProfileFile } from '../../../src/config/profile/file.ts';

test('a profile that another place of the file refers to as a whole is copied there before it is edited', async () => {
  const text = 'profiles:\n  - &all\n    name: a\n    options: {user: x}\n  - name: b\n    options: *all\n';
  const edited = await setOption(await parseProfileFile('/weir.yaml', text), 'a', ['user', 'y']);
  expect(edited?.text).not.toContain('*all');
  expect(edited?.text.match(/user: \w/g)).toEqual(['user: y', 'user: x']);
});
