module harbor-parity/golden

go 1.16
