import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { z } from 'zod'
import { QuerentError } from '../domain/errors.ts'
import { type ModelRole, modelRoles } from '../domain/model.ts'
import { withoutInvisible } from '../lib/inert-text.ts'
import { projectFolder } from '../lib/project.ts'
import type { ChatMessage } from './call-model.ts'
import { type OutputName, outputs } from './outputs.ts'

const frontMatter = z.strictObject({
  /** The job of this prompt; `any` for prompts that continue the conversation of another one. */
  task: z.enum([...modelRoles, 'any']),
  /** `words` are our own and are inserted as they are; `data` comes from others and is fenced and cut. */
  variables: z.record(
    z.string().regex(/^[a-z][a-z-]*$/),
    z.union([z.literal('words'), z.strictObject({ data: z.number().int().positive() })]),
  ),
  output: z.enum(Object.keys(outputs) as [OutputName, ...OutputName[]]).nullable(),
})

/** A prompt with its variables filled in. `output` is null for prompts that continue another one. */
interface RenderedPrompt {
  readonly task: ModelRole | 'any'
  readonly output: OutputName | null
  readonly messages: readonly ChatMessage[]
}

/** How a prompt is rendered. */
interface RenderOptions {
  /** Short instructions, for models that reason by themselves; the usual ones where a prompt has no others. */
  readonly lean?: boolean
}

/** Renders `prompts/<name>.md`. Throws `internal` for an unknown prompt, or for a missing or unknown variable. */
export type RenderPrompt = (
  name: string,
  variables: Readonly<Record<string, string>>,
  options?: RenderOptions,
) => RenderedPrompt

/** The folder of the prompts, next to `src`. */
export const promptFolder = join(projectFolder, 'prompts')

interface Template extends z.infer<typeof frontMatter> {
  readonly sections: readonly ChatMessage[]
  /** What replaces the system message for models that reason by themselves; null if nothing does. */
  readonly lean: string | null
}

/** Makes the renderer. It reads each prompt once, on first use, and checks that its text matches its front matter. */
export const makeRenderPrompt = (folder: string = promptFolder): RenderPrompt => {
  const templates = new Map<string, Template>()
  return (name, variables, { lean = false } = {}) => {
    const template = templates.get(name) ?? readTemplate(folder, name)
    templates.set(name, template)
    const declared = Object.keys(template.variables)
    const missing = declared.filter(variable => variables[variable] === undefined)
    const unknown = Object.keys(variables).filter(variable => !declared.includes(variable))
    if (missing.length > 0) throw wrongPrompt(name, `misses a value for ${missing.join(', ')}`)
    if (unknown.length > 0) throw wrongPrompt(name, `has no variable ${unknown.join(', ')}`)
    return {
      task: template.task,
      output: template.output,
      messages: template.sections.map(({ role, content }) => ({
        role,
        content: fillSection(
          lean && role === 'system' ? (template.lean ?? content) : content,
          template,
          variables,
        ),
      })),
    }
  }
}

const placeholder = /\{\{([^{}]*)\}\}/g

/** Fills a section. A paragraph of which all data is empty is left out, with the words that introduce it. */
const fillSection = (
  content: string,
  template: Template,
  variables: Readonly<Record<string, string>>,
): string =>
  content
    .split(/\n{2,}/)
    .filter(paragraph => {
      const used = [...paragraph.matchAll(placeholder)].map(([, name = '']) => name)
      const data = used.filter(name => template.variables[name] !== 'words')
      return data.length === 0 || data.some(name => !isBlank(variables[name]))
    })
    .map(paragraph => paragraph.replace(placeholder, (_, name: string) => fill(template, name, variables)))
    .join('\n\n')

const isBlank = (value = ''): boolean => withoutInvisible(value).trim() === ''

const fill = (template: Template, name: string, variables: Readonly<Record<string, string>>): string => {
  const value = withoutInvisible(variables[name] ?? '')
  const kind = template.variables[name]
  if (kind === undefined || kind === 'words') return value
  if (isBlank(value)) return ''
  const tags = Object.keys(template.variables)
  return fenceData(name, value, { tags, limit: kind.data })
}

/** Prompts of a published system are in a folder of their own: `mac-sql/refine`. */
const promptName = /^[a-z][a-z-]*(\/[a-z][a-z-]*)?$/

const readTemplate = (folder: string, name: string): Template => {
  if (!promptName.test(name)) throw wrongPrompt(name, 'is not a name')
  const [, head, body] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(readText(folder, name)) ?? []
  if (head === undefined || body === undefined) throw wrongPrompt(name, 'does not begin with front matter')
  const read = frontMatter.safeParse(parse(head))
  if (!read.success) throw wrongPrompt(name, `has front matter that is wrong: ${z.prettifyError(read.error)}`)
  const used = new Set([...body.matchAll(placeholder)].map(found => found[1] ?? ''))
  const declared = Object.keys(read.data.variables)
  const stray = [...used].filter(variable => !declared.includes(variable))
  const idle = declared.filter(variable => !used.has(variable))
  if (stray.length > 0)
    throw wrongPrompt(name, `uses ${stray.join(', ')}, which its front matter does not list`)
  if (idle.length > 0) throw wrongPrompt(name, `lists ${idle.join(', ')}, which it does not use`)
  return { ...read.data, ...sectionsOf(name, body) }
}

/**
 * Splits the body into its sections, `# System` and `# User`, and after them `# Lean`, the short form of the system
 * section. Text before the first is for readers of the file.
 */
const sectionsOf = (name: string, body: string): Pick<Template, 'sections' | 'lean'> => {
  const [, ...parts] = body.split(/^# (System|User|Lean)\n/m)
  const sections: ChatMessage[] = []
  let lean: string | null = null
  for (let at = 0; at + 1 < parts.length; at += 2) {
    const content = (parts[at + 1] ?? '').trim()
    if (parts[at] === 'Lean') lean = content
    else sections.push({ role: parts[at] === 'System' ? 'system' : 'user', content })
  }
  if (sections.at(-1)?.role !== 'user') throw wrongPrompt(name, 'must end with a section "# User"')
  if (lean !== null && sections[0]?.role !== 'system')
    throw wrongPrompt(name, 'has a section "# Lean" without "# System"')
  return { sections, lean }
}

const readText = (folder: string, name: string): string => {
  try {
    return readFileSync(join(folder, `${name}.md`), 'utf8')
  } catch (cause) {
    throw new QuerentError('internal', `prompts/${name}.md cannot be read`, { cause })
  }
}

const wrongPrompt = (name: string, what: string): QuerentError =>
  new QuerentError('internal', `prompts/${name}.md ${what}`)

/**
 * Puts someone else's text between tags, so that the prompt can say what is data. The text cannot close
 * its fence or open another: anything that reads like one of the prompt's tags loses its bracket. It has no invisible
 * character by now that could split a tag. Cut to `limit` characters.
 */
const fenceData = (
  tag: string,
  value: string,
  options: { readonly tags: readonly string[]; readonly limit: number },
): string => {
  const looksLikeTag = new RegExp(`<(?=[\\s/]*(?:${options.tags.join('|')}))`, 'gi')
  const safe = cut(value, options.limit).replace(looksLikeTag, '&lt;')
  return `<${tag}>\n${safe}\n</${tag}>`
}

const cut = (value: string, limit: number): string =>
  value.length > limit ? `${value.slice(0, limit)}\n[cut here: too long]` : value
