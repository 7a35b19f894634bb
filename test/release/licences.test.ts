import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { packagesInside } from '../../.ci/release/contents.ts';
import { thirdPartyLicences } from '../../.ci/release/licences.ts';
import { sbom } from '../../.ci/release/sbom.ts';

const packages = packagesInside();
const product = JSON.parse(readFileSync('package.json', 'utf8'));

test('every dependency is found in the bundle, with its licence', () => {
  const text = thirdPartyLicences(packages, false);
  for (const [name, version] of Object.entries(product.dependencies)) expect(text).toContain(`\n${name} ${version} (`);
  expect(text.match(/Permission is hereby granted|Redistribution and use|Apache License|ISC/g)?.length).toBeGreaterThan(
    packages.length - 1,
  );
  expect(text).not.toContain('JavaScriptCore');
  expect(thirdPartyLicences(packages, true)).toContain('JavaScriptCore');
});

test('nothing in the bundle asks more than to be named', () => {
  const permissive = /^\(?(MIT|ISC|Apache-2\.0|BSD-[23]-Clause|0BSD)\b/;
  expect(packages.filter(({ license }) => !permissive.test(license)).map(({ name }) => name)).toEqual([]);
});

test('the SBOM names the same packages, and is the same for the same commit', () => {
  const text = sbom(product, 1_764_000_000);
  const { components, dependencies, metadata } = JSON.parse(text);
  const names = components
    .filter(({ type }: { readonly type: string }) => type === 'library')
    .map(({ group, name }: { readonly group?: string; readonly name: string }) =>
      [group, name].filter(Boolean).join('/'),
    );
  expect(names).toEqual(packages.map(({ name }) => name));
  const refs = new Set([metadata.component, ...components].map((one) => one['bom-ref']));
  for (const { ref, dependsOn } of dependencies) for (const one of [ref, ...dependsOn]) expect(refs).toContain(one);
  expect(sbom(product, 1_764_000_000)).toBe(text);
});
