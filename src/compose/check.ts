/** What a look at one part found. `todo` is there when something is to be done. */
export interface Check {
  readonly part: string
  readonly status: 'ok' | 'not-set' | 'broken'
  readonly finding: string
  readonly todo?: string
}
