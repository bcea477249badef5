// Package records reads and writes files of length-prefixed records: a little-endian uint32, then that many bytes.
package records

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"os"
)

// Writer appends records to a file.
type Writer struct {
	file   *os.File
	buffer *bufio.Writer
}

// Create makes the file, or empties it.
func Create(path string) (*Writer, error) {
	file, err := os.Create(path)
	if err != nil {
		return nil, err
	}
	return &Writer{file: file, buffer: bufio.NewWriterSize(file, 1<<20)}, nil
}

// Write appends one record.
func (w *Writer) Write(record []byte) error {
	var length [4]byte
	binary.LittleEndian.PutUint32(length[:], uint32(len(record)))
	if _, err := w.buffer.Write(length[:]); err != nil {
		return err
	}
	_, err := w.buffer.Write(record)
	return err
}

// Close writes what is left.
func (w *Writer) Close() error {
	if err := w.buffer.Flush(); err != nil {
		return err
	}
	return w.file.Close()
}

// Read returns the records of a file; they share one block of memory.
func Read(path string) ([][]byte, error) {
	rest, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var records [][]byte
	for len(rest) > 0 {
		if len(rest) < 4 {
			return nil, fmt.Errorf("%s: cut off in a length", path)
		}
		length := int(binary.LittleEndian.Uint32(rest))
		if len(rest)-4 < length {
			return nil, fmt.Errorf("%s: cut off in a record", path)
		}
		records = append(records, rest[4:4+length:4+length])
		rest = rest[4+length:]
	}
	return records, nil
}
