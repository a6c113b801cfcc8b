import type { FoundElement } from './find-element.ts'

type Fields = Readonly<Record<string, unknown>>

/**
 * What an element sends when it is used, beside its ids: the value of a button, the chosen option of a menu, the side
 * that was taken of feedback buttons. Throws when the choice is not among its options.
 */
export const actionFields = ({ element, choices }: FoundElement): Fields => {
  switch (element.type) {
    case 'button':
      return pick(element, ['text', 'value', 'style'])
    case 'feedback_buttons': {
      const side = choices[0] === 'negative' ? element.negative_button : element.positive_button
      return pick(side as Fields, ['text', 'value'])
    }
    case 'overflow':
    case 'radio_buttons':
    case 'static_select':
      return { selected_option: optionOf(element, choices[0]) }
    case 'checkboxes':
    case 'multi_static_select':
      return { selected_options: choices.map(choice => optionOf(element, choice)) }
    case 'conversations_select':
      return { selected_conversation: choices[0] ?? null }
    case 'users_select':
      return { selected_user: choices[0] ?? null }
    default:
      return { value: choices[0] ?? null }
  }
}

/** What `state.values` holds for an element that keeps its choice; null for those that only act. */
export const stateFields = (found: FoundElement): Fields | null =>
  ['button', 'feedback_buttons', 'overflow'].includes(found.element.type)
    ? null
    : { type: found.element.type, ...actionFields(found) }

const pick = (from: Fields, names: readonly string[]): Fields =>
  Object.fromEntries(names.filter(name => from[name] !== undefined).map(name => [name, from[name]]))

const optionOf = (element: FoundElement['element'], choice: string | undefined): unknown => {
  const options = (element.options ?? []) as readonly { readonly value: string }[]
  const option = options.find(option => option.value === choice)
  if (!option) throw new Error(`${element.action_id} has no option ${choice}`)
  return option
}
