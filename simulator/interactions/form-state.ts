import type { FormValues } from '../shapes/interaction.ts'
import type { OpenView, StateValues } from '../shapes/view.ts'
import { actionFields } from './action-fields.ts'
import { type Element, elementsOf } from './find-element.ts'

/** The values of a submitted form, or what people must correct before Slack sends it. */
export const formState = (
  open: OpenView,
  values: FormValues,
): { readonly state: StateValues } | { readonly errors: Readonly<Record<string, string>> } => {
  const errors: Record<string, string> = {}
  const state: Record<string, Record<string, Readonly<Record<string, unknown>>>> = {}
  for (const [blockId, actions] of Object.entries(open.state)) state[blockId] = { ...actions }
  for (const block of open.view.blocks.filter(block => block.type === 'input')) {
    const [element] = elementsOf(block)
    if (!element) continue
    const blockId = String(block.block_id ?? '')
    const given = values[blockId] ?? initialValue(element)
    const error = errorOf(element, given, block.optional === true)
    if (error) errors[blockId] = error
    else state[blockId] = { ...state[blockId], [element.action_id]: filled(element, blockId, given) }
  }
  return Object.keys(errors).length > 0 ? { errors } : { state }
}

type Given = string | readonly string[]

const initialValue = (element: Element): Given => {
  const option = element.initial_option as { readonly value: string } | undefined
  const options = (element.initial_options ?? []) as readonly { readonly value: string }[]
  return takesSeveral(element)
    ? options.map(({ value }) => value)
    : (option?.value ??
        String(element.initial_value ?? element.initial_conversation ?? element.initial_user ?? ''))
}

const takesSeveral = (element: Element): boolean =>
  element.type === 'checkboxes' || element.type === 'multi_static_select'

const errorOf = (element: Element, given: Given, optional: boolean): string | null => {
  if (given.length === 0) return optional ? null : 'Please complete this required field.'
  if (element.type !== 'plain_text_input') return null
  if (given.length < Number(element.min_length ?? 0))
    return `Please use at least ${element.min_length} characters.`
  return given.length > Number(element.max_length ?? 3_000)
    ? `Please use at most ${element.max_length ?? 3_000} characters.`
    : null
}

const filled = (element: Element, blockId: string, given: Given): Readonly<Record<string, unknown>> => {
  const { type } = element
  const choices = typeof given === 'string' ? [given] : given
  if (takesSeveral(element)) return { type, ...actionFields({ blockId, element, choices }) }
  const empty = given.length === 0
  if (type === 'static_select' || type === 'radio_buttons') {
    return empty ? { type, selected_option: null } : { type, ...actionFields({ blockId, element, choices }) }
  }
  if (type === 'conversations_select' || type === 'users_select')
    return { type, ...actionFields({ blockId, element, choices: empty ? [] : choices }) }
  return { type, value: empty ? null : choices[0] }
}
