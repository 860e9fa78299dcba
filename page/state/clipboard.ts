/** The clipboard. */

/**
 * Copies a text. Where the address is not secure, browsers offer no clipboard: there a selection is copied.
 * @throws Error if the browser refuses.
 */
export async function copyText(text: string): Promise<void> {
  if (isSecureContext) return navigator.clipboard.writeText(text)
  const field = document.createElement('textarea')
  field.value = text
  document.body.append(field)
  field.select()
  const copied = document.execCommand('copy')
  field.remove()
  if (!copied) throw new Error('this browser refuses; select the text and copy it')
}
