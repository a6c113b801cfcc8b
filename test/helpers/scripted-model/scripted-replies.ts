import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { z } from 'zod'
import { modelRoles } from '../../../src/domain/model.ts'

const repliesFolder = join(import.meta.dirname, '../../../fixtures/llm')

const writtenReply = z
  .strictObject({
    role: z.enum(modelRoles),
    prompt: z.string(),
    attempt: z.union([z.int().nonnegative(), z.literal('any')]).default(0),
    where: z.record(z.string(), z.string()).default({}),
    reply: z.unknown().optional(),
    text: z.string().optional(),
  })
  .refine(({ reply, text }) => (reply === undefined) !== (text === undefined), 'needs a reply or a text')

const writtenFile = z.strictObject({
  written: z.literal('by hand'),
  question: z.string(),
  right: z.string().nullable(),
  modes: z.array(z.enum(['full', 'adaptive'])).default(['full', 'adaptive']),
  replies: z.array(writtenReply),
})

/** One reply of fixtures/llm; the README there says what its fields mean. */
export type ScriptedReply = z.output<typeof writtenReply> & {
  readonly question: string
  readonly file: string
}

/** One question of fixtures/llm with everything that is answered to it. */
export interface ScriptedQuestion extends z.output<typeof writtenFile> {
  readonly file: string
}

/** Every question of fixtures/llm, and what is answered to `any`. Throws on a file that is not labelled as written by hand. */
export const readScriptedQuestions = (): readonly ScriptedQuestion[] =>
  readdirSync(repliesFolder)
    .filter(name => name.endsWith('.yml'))
    .sort()
    .map(file => ({ ...writtenFile.parse(parse(readFileSync(join(repliesFolder, file), 'utf8'))), file }))
