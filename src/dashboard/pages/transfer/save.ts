/** Gives a file to whoever looks, as a download of the browser. */
export function save(file: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  // The browser has taken it by the next turn.
  setTimeout(() => {
    URL.revokeObjectURL(link.href);
  });
}
