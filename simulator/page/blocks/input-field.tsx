import { type ReactNode, useContext, useId } from 'react'
import type { SlackBlock } from '../../../src/slack/block-kit/schema.ts'
import { useWorkspace } from '../workspace-context.ts'
import { FormContext } from './form-context.ts'

type InputBlock = Extract<SlackBlock, { type: 'input' }>

/** One question of a modal: label, where to answer it, a hint, and what is wrong with the answer. */
export const InputField = ({ block }: { readonly block: InputBlock }) => {
  const form = useContext(FormContext)
  const id = useId()
  const blockId = block.block_id ?? ''
  const error = form?.errors[blockId]
  const several = block.element.type === 'radio_buttons' || block.element.type === 'checkboxes'
  const label = (
    <>
      {block.label.text}
      {block.optional && <span className="optional"> (optional)</span>}
    </>
  )
  const below: ReactNode = (
    <>
      {block.hint && <small className="hint">{block.hint.text}</small>}
      {error && (
        <p className="error" id={`${id}-error`} role="alert">
          {error}
        </p>
      )}
    </>
  )
  return several ? (
    <fieldset className="field" aria-describedby={`${id}-error`}>
      <legend>{label}</legend>
      <Control block={block} id={id} invalid={error !== undefined} />
      {below}
    </fieldset>
  ) : (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <Control block={block} id={id} invalid={error !== undefined} />
      {below}
    </div>
  )
}

const Control = (props: { readonly block: InputBlock; readonly id: string; readonly invalid: boolean }) => {
  const { block, id } = props
  const { element } = block
  const form = useContext(FormContext)
  const { snapshot } = useWorkspace()
  const blockId = block.block_id ?? ''
  const given = form?.values[blockId]
  const change = (value: string | readonly string[]): void => form?.change(blockId, value)
  const described = { id, 'aria-invalid': props.invalid, 'aria-describedby': `${id}-error` }

  switch (element.type) {
    case 'plain_text_input': {
      const fields = {
        ...described,
        value: typeof given === 'string' ? given : (element.initial_value ?? ''),
        placeholder: element.placeholder?.text,
        onChange: (event: { target: { value: string } }) => change(event.target.value),
      }
      return element.multiline ? (
        <textarea rows={Math.max(4, Math.min(12, fields.value.split('\n').length + 1))} {...fields} />
      ) : (
        <input type="text" {...fields} />
      )
    }
    case 'static_select':
      return (
        <select
          {...described}
          value={typeof given === 'string' ? given : (element.initial_option?.value ?? '')}
          onChange={event => change(event.target.value)}
        >
          <option value="">{element.placeholder?.text ?? 'Choose …'}</option>
          {element.options.map(option => (
            <option key={option.value} value={option.value}>
              {option.text.text}
            </option>
          ))}
        </select>
      )
    case 'conversations_select':
    case 'users_select': {
      const isUser = element.type === 'users_select'
      const initial = isUser ? element.initial_user : element.initial_conversation
      const options = isUser
        ? snapshot.people
        : snapshot.channels
            .filter(({ kind }) => kind === 'channel')
            .map(({ id, name }) => ({ id, name: `#${name}` }))
      return (
        <select
          {...described}
          value={typeof given === 'string' ? given : (initial ?? '')}
          onChange={event => change(event.target.value)}
        >
          <option value="">{element.placeholder?.text ?? 'Choose …'}</option>
          {options.map(option => (
            <option key={option.id} value={option.id}>
              {option.name}
            </option>
          ))}
        </select>
      )
    }
    case 'radio_buttons':
    case 'checkboxes': {
      const radio = element.type === 'radio_buttons'
      const initial = radio
        ? [element.initial_option?.value ?? ''].filter(Boolean)
        : (element.initial_options ?? []).map(option => option.value)
      const chosen = given === undefined ? initial : typeof given === 'string' ? [given] : given
      const toggle = (value: string): void => {
        if (radio) change(value)
        else change(chosen.includes(value) ? chosen.filter(other => other !== value) : [...chosen, value])
      }
      return element.options.map(option => (
        <label key={option.value} className="choice">
          <input
            type={radio ? 'radio' : 'checkbox'}
            name={id}
            checked={chosen.includes(option.value)}
            onChange={() => toggle(option.value)}
          />
          <span>
            {option.text.text}
            {option.description && <small>{option.description.text}</small>}
          </span>
        </label>
      ))
    }
    default: {
      const never: never = element
      return never
    }
  }
}
