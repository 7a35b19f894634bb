import { isAbsolute } from 'node:path';
import { CliError, exitCodes } from '../../../errors.ts';
import { codeOf, faultOf } from '../../../files/fault.ts';
import { expandHome } from '../../../files/locations.ts';
import { excerpt } from '../../../format/excerpt.ts';
import { splitWords } from '../../../format/shell-word.ts';
import { parseJson } from '../../../net/json.ts';
import { isObject } from '../../../shape/object.ts';
import { brokenStep } from '../chain.ts';
import type { ProgramResult } from '../options.ts';
import { type AwsCredentials, type AwsParts, environmentCredentials, keysIn, what } from './keys.ts';
import { containerCredentials, instanceCredentials } from './metadata.ts';
import { readSharedFiles, type Section, type SharedFiles } from './profiles.ts';
import { ssoCredentials } from './sso.ts';
import { assumeRole, assumeRoleWithWebIdentity } from './sts.ts';

/** The credentials of a profile of the shared files, or why there are none. */
export async function profileCredentials(parts: AwsParts, name: string): Promise<AwsCredentials | string> {
  const files = await readSharedFiles(parts.options.machine, parts.options.deadline.signal);
  return await ofProfile({ parts, files, seen: [] }, name);
}

/** A walk through profiles that refer to each other. */
interface Walk {
  readonly parts: AwsParts;
  readonly files: SharedFiles;
  readonly seen: readonly string[];
}

async function ofProfile(walk: Walk, name: string): Promise<AwsCredentials | string> {
  const { parts, files, seen } = walk;
  const section = files.profile(name);
  if (section === undefined) return `there is no profile "${excerpt(name)}" in ${files.shown}`;
  const place = `the profile "${excerpt(name)}"`;
  const keys = staticKeys(section, place);
  // A profile may assume a role with the keys in itself.
  if (seen.includes(name)) {
    if (keys !== undefined && seen.at(-1) === name) return keys;
    throw brokenStep(what, place, `its source_profile leads back to it (${[...seen, name].map(excerpt).join(' → ')})`);
  }
  const next: Walk = { ...walk, seen: [...seen, name] };
  const credentials =
    (await ofRole(next, name, section)) ??
    (await ssoCredentials(parts, name, { section, files })) ??
    keys ??
    (await ofProcess(parts, section, place)) ??
    (await ofLogin(parts, section, name));
  return credentials ?? `${place} in ${files.shown} has no credentials`;
}

function staticKeys(section: Section, place: string): AwsCredentials | undefined {
  const [id, secret] = [section.get('aws_access_key_id'), section.get('aws_secret_access_key')];
  if (!id && !secret) return undefined;
  if (!id || !secret) throw brokenStep(what, place, `it has no ${id ? 'aws_secret_access_key' : 'aws_access_key_id'}`);
  const sessionToken = section.get('aws_session_token') || undefined;
  return { accessKeyId: id, secretAccessKey: secret, sessionToken, expiresAt: undefined, from: place };
}

async function ofRole(walk: Walk, name: string, section: Section): Promise<AwsCredentials | undefined> {
  const { parts } = walk;
  const roleArn = section.get('role_arn');
  if (roleArn === undefined) return undefined;
  const place = `the profile "${excerpt(name)}"`;
  const region = section.get('region') ?? parts.region;
  const sessionName = section.get('role_session_name');
  const tokenFile = section.get('web_identity_token_file');
  if (tokenFile !== undefined) {
    const path = expandHome(parts.options.machine.home, tokenFile);
    return await assumeRoleWithWebIdentity(parts, { roleArn, sessionName, tokenFile: path, region });
  }
  if (section.has('mfa_serial')) {
    throw brokenStep(what, place, 'it requires the code of an MFA device, which weir does not ask for', [
      'let the AWS CLI ask: a profile with credential_process = aws configure export-credentials --profile PROFILE',
    ]);
  }
  const by = await sourceOf(walk, section, place);
  const [externalId, durationS] = [section.get('external_id'), section.get('duration_seconds')];
  return await assumeRole(parts, by, { roleArn, region, sessionName, externalId, durationS });
}

/** The credentials that may assume the role of a profile. */
async function sourceOf(walk: Walk, section: Section, place: string): Promise<AwsCredentials> {
  const { parts } = walk;
  const [profile, source] = [section.get('source_profile'), section.get('credential_source')];
  const credentials =
    profile !== undefined
      ? await ofProfile(walk, profile)
      : source === 'Environment'
        ? environmentCredentials(parts)
        : source === 'EcsContainer'
          ? await containerCredentials(parts)
          : source === 'Ec2InstanceMetadata'
            ? await instanceCredentials(parts)
            : 'it has role_arn, but neither source_profile nor a known credential_source';
  if (typeof credentials === 'string') throw brokenStep(what, place, credentials);
  return credentials;
}

/** The credentials that a program prints (`credential_process`). */
async function ofProcess(parts: AwsParts, section: Section, place: string): Promise<AwsCredentials | undefined> {
  const line = section.get('credential_process');
  return line === undefined
    ? undefined
    : await fromProgram(parts, wordsOf(line, place), `the credential_process of ${place}`);
}

function wordsOf(line: string, place: string): readonly string[] {
  try {
    return splitWords(line);
  } catch (error) {
    throw brokenStep(what, place, `its credential_process cannot be split into words: ${faultOf(error)}`);
  }
}

/** The credentials of `aws login`, whose tokens only the AWS CLI can renew. */
async function ofLogin(parts: AwsParts, section: Section, name: string): Promise<AwsCredentials | undefined> {
  if (!section.has('login_session')) return undefined;
  const words = ['aws', 'configure', 'export-credentials', '--profile', name, '--format', 'process'];
  return await fromProgram(parts, words, `"aws login" of the profile "${excerpt(name)}"`);
}

async function fromProgram(parts: AwsParts, words: readonly string[], from: string): Promise<AwsCredentials> {
  const [first = '', ...args] = words;
  const { machine } = parts.options;
  const file = expandHome(machine.home, first);
  // It would be another program in every directory.
  if (/[/\\]/.test(file) && !isAbsolute(file)) {
    throw brokenStep(what, from, 'the path of the program is relative', [
      'use an absolute path, ~/…, or the name of a program in PATH',
    ]);
  }
  const overdue = () =>
    new CliError(exitCodes.unreachable, `unable to get ${what.name} from ${from}: it did not end in time`);
  const yourself = 'run the command yourself to see its messages: they are not shown, because they may contain keys';
  let result: ProgramResult;
  try {
    result = await machine.run(file, args, overdue);
  } catch (error) {
    if (codeOf(error) === undefined) throw error;
    const why = codeOf(error) === 'ENOENT' ? `there is no program "${excerpt(first)}"` : faultOf(error);
    throw brokenStep(what, from, why);
  }
  if (result.isTooLong) throw brokenStep(what, from, 'it printed too much');
  if (result.exitCode !== 0) throw brokenStep(what, from, `it failed with exit code ${result.exitCode}`, [yourself]);
  const fields = parseJson(Buffer.from(result.stdout));
  if (!isObject(fields)) throw brokenStep(what, from, 'it did not print a JSON object', [yourself]);
  if (fields.Version !== 1) throw brokenStep(what, from, 'it printed an object without "Version": 1', [yourself]);
  return keysIn(fields, from);
}
