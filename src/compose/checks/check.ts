/**
 * What a look at one part found. `todo` is there when something is to be done. `weak`: it works, but something that should
 * hold as well does not, such as a database's user who could write.
 */
export interface Check {
  readonly part: string
  readonly status: 'ok' | 'not-set' | 'weak' | 'broken'
  readonly finding: string
  readonly todo?: string
}
