import { expect, test } from 'vitest';
import { loginPage } from '../../../src/sign-in/tokens/device-login.ts';

test.each([
  ['https://id.example/login', 'https://id.example', true],
  ['https://elsewhere.example/login', 'http://localhost:1', true],
  ['http://localhost:2/login', 'http://127.0.0.1:1', true],
  ['http://id.example/login', 'http://id.example', true],
  ['http://localhost:2/login', 'http://id.example', true],
  ['http://id.example/login', 'http://localhost:1', false],
  ['http://id.example/login', 'https://id.example', false],
  ['http://localhost/login', 'https://localhost', false],
  ['https://ana:x@id.example/login', 'https://id.example', false],
  ['file:///etc/passwd', 'https://id.example', false],
  [5, 'https://id.example', false],
])('the login page %s of %s may be opened: %s', (page, server, isOpened) => {
  const open = () => loginPage(page, server, 'oauth.issuer');
  if (isOpened) expect(open()).toBe(page);
  else expect(open).toThrow('the server returned no login page');
});
