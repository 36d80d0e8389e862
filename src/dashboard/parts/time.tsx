/** A moment in the time zone of whoever looks, with the exact one as its title. */
export function Time({ date }: { readonly date: Date | undefined }) {
  if (date === undefined) return null;
  const exact = date.toISOString();
  return (
    <time dateTime={exact} title={exact}>
      {date.toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'medium' })}
    </time>
  );
}
