/** A license that the cluster has loaded. */
export interface License {
  readonly organization: string;
  /** `free_trial` or `enterprise`; newer servers may have others. */
  readonly type: string;
  /** When it ends, in seconds since the epoch. */
  readonly expires: number;
  /** The SHA-256 checksum of its text; null if the server does not say. */
  readonly checksum: string | null;
}

/** The use of features that need a license. */
export interface EnterpriseUse {
  /** `valid`, `expired` or `not_present`; newer servers may have others. */
  readonly status: string;
  /** Whether such features are used without a valid license. */
  readonly violation: boolean;
  /** The names of the features in use, sorted. */
  readonly features: readonly string[];
}

/** The calls about the license. */
export interface LicenseCalls {
  /** The license of the cluster; undefined if none is loaded. */
  license(): Promise<License | undefined>;
  /** The use of features that need a license; undefined if older versions do not report it. */
  enterpriseUse(): Promise<EnterpriseUse | undefined>;
  /**
   * Loads a license, which may be the one that is loaded already. No error repeats its text.
   * @throws ApiError (400, exit 1) if the server does not accept it
   */
  setLicense(text: string): Promise<void>;
}
