// Prints the section of CHANGELOG.md for the version of package.json: the notes of a release.
import { readFileSync } from 'node:fs';
import { stdout } from 'node:process';

const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
const sections = readFileSync('CHANGELOG.md', 'utf8').split(/^## /m);
const section = sections.find((text) => text.startsWith(`[${version}]`));
if (section === undefined) throw new Error(`CHANGELOG.md has no section [${version}]`);
stdout.write(section.slice(section.indexOf('\n')).trimStart());
