import { expect, test } from 'vitest';
import { holdsSecretSetting, isSetting, twoSettings } from '../../../src/config/settings/two-settings.ts';

test.each([
  ['alice,pass=x', true],
  ['alice pass=x', true],
  ['alice;PASS=x', true],
  ['alice&password=x', true],
  ['pass=x', true],
  ['a,cloud.client_secret=x', true],
  ['a,client_secret=x', true],
  ['a,cloudxclient_secret=x', false],
  ['bypass=x', false],
  ['alice,pass', false],
  ['alice,user=x', false],
  ['', false],
])('whether the value %j holds a secret setting: %s', (value, expected) => {
  expect(holdsSecretSetting('user', value)).toBe(expected);
  for (const key of ['pass', 'pass.command'] as const) expect(holdsSecretSetting(key, value)).toBe(false);
});

test.each([
  ['pass=x', true],
  ['TLS.Enabled=x', true],
  ['password=', true],
  ['tlsxenabled=x', false],
  ['x pass=x', false],
  ['pass', false],
  ['usr=x', false],
])('whether the word %j is a setting: %s', (word, expected) => expect(isSetting(word)).toBe(expected));

test('the error names the option, and never the value', () => {
  expect(twoSettings('user', 'in -X')).toMatchObject({
    ...{ exitCode: 2, code: 'CONFIG_INVALID', target: 'user' },
    message: 'the value of user in -X looks like another setting',
    hints: [
      'did you mean two settings? Write each as a separate KEY=VALUE',
      'store a secret with: weir profile set pass',
    ],
  });
});
