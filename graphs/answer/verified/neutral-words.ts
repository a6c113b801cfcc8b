/**
 * Words that a question may have or not without asking something else. Short on purpose: `by`, `with`, `from`, `and`,
 * `per`, `not` and their like decide what is asked.
 */
export const isNeutral = (word: string): boolean => neutral.has(word)

const neutral: ReadonlySet<string> = new Set(
  `a an the of in on at for is are was were be been do does did has have had there that which who what s please me us
   our`.split(/\s+/),
)

/** Words with which people begin to ask, and which say nothing there: `please show me`, `can you list`. */
export const isOpening = (word: string): boolean => neutral.has(word) || openings.has(word)

const openings: ReadonlySet<string> = new Set(
  'can could would you show give list tell find display get see i want need know to'.split(/\s+/),
)
