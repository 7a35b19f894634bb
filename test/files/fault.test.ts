import { expect, test } from 'vitest';
import { CliError } from '../../src/errors.ts';
import { codeOf, faultOf, writeFaultOf } from '../../src/files/fault.ts';

const systemError = (code: unknown) => Object.assign(new Error(`${code}: as the system says it`), { code });

test.each([
  ['EACCES', 'permission denied'],
  ['EPERM', 'not permitted'],
  ['ENOENT', 'no such file'],
  ['ENOTDIR', 'a part of its path is not a directory'],
  ['EISDIR', 'it is a directory'],
  ['ELOOP', 'its symbolic links form a loop'],
  ['EROFS', 'the file system is read-only'],
  ['ENOSPC', 'no space left on the disk'],
  ['ENAMETOOLONG', 'its name is too long'],
  ['EMFILE', 'EMFILE: as the system says it'],
])('%s means %s', (code, words) => {
  expect([codeOf(systemError(code)), faultOf(systemError(code))]).toEqual([code, words]);
});

test.each<[string, unknown, string]>([
  ['an error without a code', new Error('a\u001b\nb'), 'a??b'],
  ['an error with a number', systemError(7), '7: as the system says it'],
  ['an error of weir', new CliError(1, 'unable', { code: 'ENOENT' }), 'unable'],
  ['a text', 'broken', 'broken'],
])('%s has no code', (_, error, words) => {
  expect([codeOf(error), faultOf(error)]).toEqual([undefined, words]);
});

test('what a file to be written lacks is its directory', () => {
  expect(writeFaultOf(systemError('ENOENT'), '/none/report.json')).toBe('the directory /none does not exist');
  expect(writeFaultOf(systemError('EACCES'), '/none/report.json')).toBe('permission denied');
});
