import type { z } from 'zod'

/** A reply against what was asked for; `problem` says what is wrong in words that the model can act on. */
export type ReadReply<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problem: string }

/**
 * Finds the JSON value in a reply: the whole text, a fenced block, or an object among prose or after a model's
 * thinking aloud. The first text that fits the schema counts; `problem` is about the likeliest one.
 */
export const readReply = <T>(text: string, schema: z.ZodType<T>): ReadReply<T> => {
  const found = [text.trim(), ...fencedBlocks(text), ...objectsIn(text)].map(part => readJson(part, schema))
  const good = found.find(read => read.ok)
  if (good) return good
  // Something that parsed but has the wrong shape tells more than something that is no JSON at all.
  const shaped = found.find(read => !read.ok && !read.problem.startsWith(notJson))
  return shaped ?? found[0] ?? { ok: false, problem: notJson }
}

const notJson = 'It is not JSON'

const readJson = <T>(text: string, schema: z.ZodType<T>): ReadReply<T> => {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch (error) {
    return { ok: false, problem: `${notJson}: ${error instanceof Error ? error.message : String(error)}` }
  }
  const read = schema.safeParse(json)
  if (read.success) return { ok: true, value: read.data }
  const issues = read.error.issues.map(issue => `${issue.path.join('.') || 'reply'}: ${issue.message}`)
  return { ok: false, problem: `It does not fit the schema: ${issues.slice(0, 5).join('; ')}` }
}

const fencedBlocks = (text: string): string[] =>
  [...text.matchAll(/```(?:json)?[^\S\n]*\n([\s\S]*?)```/g)].map(found => (found[1] ?? '').trim())

/** Opening braces that are looked at; each costs one pass over the rest of the reply. */
const maxBraces = 30

/** Outermost `{...}` in the text, the last one first: what a model settles on comes after what it considers. */
const objectsIn = (text: string): string[] => {
  const objects: string[] = []
  let from = 0
  for (let tried = 0; tried < maxBraces; tried++) {
    const start = text.indexOf('{', from)
    if (start === -1) break
    const end = closingBrace(text, start)
    if (end !== -1) objects.push(text.slice(start, end + 1))
    from = (end === -1 ? start : end) + 1
  }
  return objects.reverse()
}

/** Where the object that opens at `start` closes, braces within strings aside; -1 when it does not. */
const closingBrace = (text: string, start: number): number => {
  let depth = 0
  let inString = false
  for (let at = start; at < text.length; at++) {
    const character = text[at]
    if (inString) {
      if (character === '\\') at++
      else if (character === '"') inString = false
    } else if (character === '"') inString = true
    else if (character === '{') depth++
    else if (character === '}' && --depth === 0) return at
  }
  return -1
}
