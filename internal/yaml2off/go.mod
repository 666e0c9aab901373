module gopkg.in/yaml.v2

go 1.26
