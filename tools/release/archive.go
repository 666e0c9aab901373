package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/flate"
	"compress/gzip"
	"io"
	"io/fs"
	"slices"
	"strings"
	"time"
)

// file is one file of an archive.
type file struct {
	name string
	data []byte
	mode fs.FileMode
}

// inOrder returns the files sorted by name, so that the same files give the same bytes.
func inOrder(files []file) []file {
	files = slices.Clone(files)
	slices.SortFunc(files, func(a, b file) int { return strings.Compare(a.name, b.name) })
	return files
}

// tarred packs files as tar.gz.
func tarred(folder string, files []file, date time.Time) ([]byte, error) {
	var b bytes.Buffer
	z, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	w := tar.NewWriter(z)
	for _, f := range inOrder(files) {
		header := &tar.Header{Typeflag: tar.TypeReg, Name: folder + "/" + f.name, Mode: int64(f.mode),
			Size: int64(len(f.data)), ModTime: date, Format: tar.FormatUSTAR}
		if err := w.WriteHeader(header); err != nil {
			return nil, err
		}
		if _, err := w.Write(f.data); err != nil {
			return nil, err
		}
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	err = z.Close()
	return b.Bytes(), err
}

// zipped packs files as zip.
func zipped(folder string, files []file, date time.Time) ([]byte, error) {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	w.RegisterCompressor(zip.Deflate, func(out io.Writer) (io.WriteCloser, error) {
		return flate.NewWriter(out, flate.BestCompression)
	})
	for _, f := range inOrder(files) {
		header := &zip.FileHeader{Name: folder + "/" + f.name, Method: zip.Deflate, Modified: date}
		header.SetMode(f.mode)
		entry, err := w.CreateHeader(header)
		if err != nil {
			return nil, err
		}
		if _, err := entry.Write(f.data); err != nil {
			return nil, err
		}
	}
	err := w.Close()
	return b.Bytes(), err
}
