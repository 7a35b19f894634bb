import type { Reporter, SerializedError, TestModule, Vitest } from 'vitest/node';

/**
 * Ends every run with the line `N passed, N failed`. A test that did not run counts as failed, unless the command line asks
 * for others by their names (`-t`).
 */
export default class LastLine implements Reporter {
  private lines: readonly string[] = [];
  private isByName: () => boolean = () => false;

  onInit(vitest: Vitest): void {
    this.isByName = () => vitest.getGlobalTestNamePattern() !== undefined;
  }

  onTestRunEnd(modules: readonly TestModule[], errors: readonly SerializedError[], reason: string): void {
    const tally = count(modules, errors, this.isByName());
    if (reason === 'interrupted') tally.remarks.push('interrupted: some tests were not run');
    this.lines = [...tally.remarks, `${tally.passed} passed, ${tally.failed} failed`];
    if (tally.failed > 0 || reason !== 'passed') process.exitCode = 1;
    // Print after the summaries of the other reporters.
    setImmediate(() => {
      for (const line of this.lines) process.stdout.write(`${line}\n`);
    });
  }
}

interface Tally {
  passed: number;
  failed: number;
  readonly remarks: string[];
}

function count(modules: readonly TestModule[], errors: readonly SerializedError[], isByName: boolean): Tally {
  const tally: Tally = { passed: 0, failed: 0, remarks: [] };
  for (const module of modules) countModule(module, tally, isByName);
  if (errors.length > 0) tally.remarks.push(`unhandled errors, each counted as a failure: ${errors.length}`);
  tally.failed += errors.length;
  if (tally.passed + tally.failed === 0) {
    tally.failed = 1;
    tally.remarks.push('no tests were run, counted as a failure');
  }
  return tally;
}

function countModule(module: TestModule, tally: Tally, isByName: boolean): void {
  for (const test of module.children.allTests()) {
    const { state } = test.result();
    if (state === 'passed') {
      tally.passed += 1;
      continue;
    }
    if (isByName && state === 'skipped') continue;
    tally.failed += 1;
    if (state !== 'failed') {
      tally.remarks.push(
        `not run (${test.options.mode}), counted as a failure: ${module.relativeModuleId} > ${test.fullName}`,
      );
    }
  }
  const suites = [...module.children.allSuites()];
  const broken = module.errors().length + suites.filter((suite) => suite.errors().length > 0).length;
  if (broken > 0) tally.remarks.push(`unable to run a file or group, counted as a failure: ${module.relativeModuleId}`);
  tally.failed += broken;
}
